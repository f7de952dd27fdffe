// Compiles modules with the Python of the browser, so that it need not do so at every visit; see compile.py.
// node compile.mjs PYODIDE_FOLDER FOLDER, which holds compile.py and what it reads, and gets what it makes.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime });
python.FS.writeFile("/begun.json", python.runPython("import json, sys; json.dumps(list(sys.modules))"));
for (const name of readdirSync(folder).filter((each) => /\.(zip|json)$/.test(each))) python.FS.writeFile(`/${name}`, readFileSync(join(folder, name)));
python.FS.writeFile("/standard.zip", readFileSync(join(runtime, "python_stdlib.zip")));
python.runPython(readFileSync(join(folder, "compile.py"), "utf8"));
for (const name of python.FS.readdir("/").filter((each) => /^(project|library)\.zip$|\.program$/.test(each))) writeFileSync(join(folder, name), python.FS.readFile(`/${name}`));
