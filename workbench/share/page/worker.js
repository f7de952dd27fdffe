// The table itself, beside its page: Python, the rules and their interpreter in a worker of the browser.
// Before this stand, in the same script, Pyodide's loader and wabt.

const parts = {};
let home;
let python;
let editing;
const pipes = new Map();

onmessage = ({ data }) => {
  if (data.parts) begin(data).catch((problem) => postMessage({ failed: told(problem) }));
  else act(data);
};

/** The last line of what Python says of a problem, which is what people can read. */
function told(problem) {
  console.error(problem);
  const lines = String(problem?.message ?? problem).trim().split("\n");
  const last = lines.findLast((line) => /^[\w.]+: /.test(line)) ?? lines[lines.length - 1];
  return last.replace(/^[\w.]+: /, "");
}

async function begin({ parts: packed, plan, kept, returned, edits }) {
  await Promise.all(Object.entries(packed).map(async ([name, bytes]) => (parts[name] = await unpacked(bytes))));
  const text = (name) => new TextDecoder().decode(parts[name]);
  globalThis.importScripts = () => { // so that Pyodide takes this for a worker of modules
    throw new Error("everything is here");
  };
  const types = { wasm: "application/wasm", zip: "application/zip" };
  globalThis.fetch = async (wanted) => {
    const name = String(wanted?.url ?? wanted).split("/").pop();
    if (!parts[name]) throw new Error(`${name} is not here`);
    return new Response(parts[name], { headers: { "Content-Type": types[name.split(".").pop()] ?? "text/plain" } });
  };
  const factory = URL.createObjectURL(new Blob([text("pyodide.asm.mjs")], { type: "text/javascript" }));
  const [{ default: createPyodideModule }, wabt] = await Promise.all([import(factory), WabtModule()]);
  globalThis.rulelang = machine(wabt);
  python = await loadPyodide({
    indexURL: "https://here/", createPyodideModule, lockFileContents: text("pyodide-lock.json"), packageBaseUrl: "https://here/",
    stdLibURL: "https://here/python_stdlib.zip", checkAPIVersion: false,
  });
  postMessage({ step: 1 });
  python.unpackArchive(parts["project.tar.xz"].buffer, "xztar", { extractDir: "/home/lib" });
  python.unpackArchive(parts[JSON.parse(plan).part].buffer, "xztar", { extractDir: "/home/game" });
  for (const name of Object.keys(parts)) delete parts[name];
  python.runPython("import sys; sys.path.insert(0, '/home/lib')");
  const { Home, given } = python.pyimport("workbench.share.home");
  const first = edits && JSON.parse(given(plan, JSON.stringify(edits.sound)));
  home = Home(plan, kept ? python.toPy(kept) : undefined, returned);
  postMessage({ seats: JSON.parse(home.seats()), secret: home.secret() });
  if (edits) setTimeout(() => edit(edits.texts, first).catch((problem) => postMessage({ failed: told(problem) })), 500);
}

/** The rules can be edited from now on; the texts of an earlier visit are put in place of the first ones. */
async function edit(texts, replaced) {
  const { Editing } = python.pyimport("workbench.language_server.in_page");
  const begun = Editing(home.folder());
  const first = { ...JSON.parse(begun.begins()).files, ...replaced };
  for (const [name, text] of Object.entries(texts)) begun.edit(name, text ?? undefined);
  editing = begun;
  postMessage({ rules: { ...JSON.parse(editing.begins()), first } });
  look();
}

let looking;

/** Does what is to do about the rules, a step at a time, so that the table is not kept waiting. */
function look(pause = 0) {
  clearTimeout(looking);
  looking = setTimeout(async () => {
    let found;
    try {
      found = JSON.parse(editing.step());
      if (found.playable) found.followed = JSON.parse(await home.follow());
    } catch (problem) {
      found = { more: false, followed: { cannot: told(problem) } };
    }
    postMessage({ found });
    if (found.more) look();
  }, pause);
}

const QUIET = 150; // milliseconds without a key before the rules are looked at

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function act(data) {
  if (data.open !== undefined) {
    pipes.get(data.open - 1)?.hear(null);
    pipes.set(data.open, home.open((text) => heard(data.open, text)));
  } else if (data.hear !== undefined) pipes.get(data.hear)?.hear(data.text);
  else if (data.edit !== undefined) {
    editing?.edit(data.edit, data.text ?? undefined);
    look(QUIET);
  } else if (data.ask !== undefined) postMessage({ answer: data.ask, value: answered(data) });
}

function answered(data) {
  try {
    return answers[data.what](data);
  } catch (problem) {
    if (editing) return (told(problem), null); // of the rules as somebody types them, which may be anything
    throw problem;
  }
}

const answers = {
  rulebook: ({ lang }) => JSON.parse(home.rulebook(lang)),
  text: () => JSON.parse(home.text()),
  about: ({ about, name, line = 0, character = 0 }) => (editing ? JSON.parse(editing.ask(about, name, line, character)) : null),
  numbers: ({ games, seed }) => JSON.parse(home.numbers(games, seed)),
  folder: () => editing.archive(),
  code: ({ code }) => editing.explained(code),
};

let timer;

function heard(pipe, text) {
  postMessage({ pipe, text: text ?? null });
  clearTimeout(timer);
  timer = setTimeout(keep, 200);
}

/** The page keeps the table, whenever something may have changed. */
function keep() {
  const proxy = home.kept();
  const buffer = proxy.getBuffer("u8");
  const bytes = new Uint8Array(buffer.data);
  buffer.release();
  proxy.destroy();
  postMessage({ keep: bytes }, [bytes.buffer]);
}

/** What assembles modules and runs them; see interpreter/wasm/browser.py. */
function machine(wabt) {
  return {
    assemble(text) {
      const read = wabt.parseWat("rules", text);
      try {
        return new WebAssembly.Module(read.toBinary({}).buffer);
      } finally {
        read.destroy();
      }
    },
    instance(module) {
      const { exports } = new WebAssembly.Instance(module);
      let words, bytes;
      const fresh = () => {
        if (bytes?.buffer === exports.memory.buffer) return;
        words = new Int32Array(exports.memory.buffer);
        bytes = new Uint8Array(exports.memory.buffer);
      };
      return {
        call(name, ...given) {
          if (!exports[name]) return name;
          try {
            return exports[name](...given.map((one) => (typeof one === "string" ? BigInt(one) : one))) >>> 0;
          } catch (problem) {
            if (problem instanceof WebAssembly.RuntimeError || problem instanceof RangeError) return `${problem.message} `;
            throw problem;
          }
        },
        word: (at) => (fresh(), words[at]),
        put: (at, value) => (fresh(), (words[at] = value)),
        read: (at, size) => (fresh(), bytes.subarray(at, at + size)),
        write(at, data) {
          fresh();
          const buffer = data.getBuffer();
          bytes.set(buffer.data, at);
          buffer.release();
        },
      };
    },
  };
}
