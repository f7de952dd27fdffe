// Compiles modules with the Python of the browser, so that it need not do so at every visit; see compile.py.
// node compile.mjs PYODIDE_FOLDER FOLDER, which holds compile.py, given.zip and wanted.json, and gets what is made.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime });
python.FS.writeFile("/begun.json", python.runPython("import json, sys; json.dumps(list(sys.modules))"));
for (const name of ["given.zip", "wanted.json"]) python.FS.writeFile(`/${name}`, readFileSync(join(folder, name)));
python.FS.writeFile("/standard.zip", readFileSync(join(runtime, "python_stdlib.zip")));
python.runPython(readFileSync(join(folder, "compile.py"), "utf8"));
for (const name of ["project.zip", "library.zip"]) writeFileSync(join(folder, name), python.FS.readFile(`/${name}`));
