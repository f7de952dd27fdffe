import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import {
  commands,
  env,
  type ExtensionContext,
  type OutputChannel,
  type TestItem,
  TestMessage,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
  window,
  workspace,
} from "vscode";
import { LanguageClient, type LanguageClientOptions, type Location, type ServerOptions } from "vscode-languageclient/node";

/** What the server asks to be run where people can watch it and answer: a game, a comparison. */
interface TerminalParams {
  title: string;
  command: string[];
  folder: string;
}

/** Places that a lens leads to. */
interface LocationsParams {
  title: string;
  locations: Location[];
}

/** The state of each example of the game in a folder. */
interface VerdictsParams {
  root: string;
  examples: {
    id: string;
    state: "passed" | "failed" | "running" | "waiting" | "blocked";
    why: { message: string; location: Location }[];
    location: Location;
  }[];
}

const INSTALL = "https://pypi.org/project/rulelang/";

let client: LanguageClient | undefined;
const examples = tests.createTestController("rulelang", "Examples");

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel("rulelang");
  context.subscriptions.push(
    output,
    examples,
    examples.createRunProfile("Run", TestRunProfileKind.Run, runExamples, true),
    commands.registerCommand("rulelang.restart", async () => {
      await client?.stop();
      await start(output);
    }),
  );
  await start(output);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(output: OutputChannel): Promise<void> {
  const [program, ...words] = serverCommand();
  if (program === undefined || !(await answers(program, words, output))) {
    void explain(program ?? "rulelang");
    return;
  }
  const server: ServerOptions = { command: program, args: [...words, "lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "rulelang" },
      { scheme: "file", language: "rulelang-look" },
      { scheme: "file", pattern: "**/*.{rules,look}" },
      { scheme: "file", pattern: "**/text/*.{md,toml}" },
      { scheme: "file", pattern: "**/*.csv" },
    ],
    outputChannel: output,
  };
  client = new LanguageClient("rulelang", "rulelang", server, options);
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...(capabilities.experimental as object), rulelangTerminal: true, rulelangLocations: true, rulelangExamples: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  client.onNotification("rulelang/terminal", runInTerminal);
  client.onNotification("rulelang/locations", goTo);
  client.onNotification("rulelang/verdicts", showVerdicts);
  await client.start();
}

/** The command that is set; else that of the workspace's virtual environment; else the one on the path. */
function serverCommand(): string[] {
  const set = workspace.getConfiguration("rulelang").get<string[]>("command") ?? [];
  if (set.length > 0) {
    return set;
  }
  for (const folder of workspace.workspaceFolders ?? []) {
    for (const place of ["bin/rulelang", "Scripts/rulelang.exe"]) {
      const own = join(folder.uri.fsPath, ".venv", place);
      if (existsSync(own)) {
        return [own];
      }
    }
  }
  return ["rulelang"];
}

/** Whether the server is there, with what it needs. */
function answers(program: string, words: string[], output: OutputChannel): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...words, "lsp", "--check"], { timeout: 30_000 }, (error, _stdout, stderr) => {
      if (error !== null) {
        output.appendLine(stderr || error.message);
      }
      resolve(error === null);
    });
  });
}

async function explain(program: string): Promise<void> {
  const message =
    `\`${program} lsp\` cannot be started, so rules are only coloured. ` +
    "Install it with: pip install 'rulelang[editor]', or say in the settings where it is.";
  const [install, settings, again] = ["How to install it", "Settings", "Try again"];
  const answer = await window.showWarningMessage(message, install, settings, again);
  if (answer === install) {
    await env.openExternal(Uri.parse(INSTALL));
  } else if (answer === settings) {
    await commands.executeCommand("workbench.action.openSettings", "rulelang.command");
  } else if (answer === again) {
    await commands.executeCommand("rulelang.restart");
  }
}

function runInTerminal(params: TerminalParams): void {
  const terminal = window.createTerminal({ name: params.title, cwd: params.folder });
  const quoted = params.command.map((word) => (/^[\w./:=,@+-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`));
  terminal.show();
  terminal.sendText(quoted.join(" "));
}

/** Leads to one place at once, and to several by a list beside the first. */
async function goTo(params: LocationsParams): Promise<void> {
  const convert = client?.protocol2CodeConverter;
  const places = params.locations.flatMap((place) => convert?.asLocation(place) ?? []);
  const editor = window.activeTextEditor;
  const from = editor?.document.uri ?? places[0]?.uri;
  if (from !== undefined) {
    const at = editor?.selection.active ?? places[0]?.range.start;
    await commands.executeCommand("editor.action.goToLocations", from, at, places, "gotoAndPeek", `No ${params.title}`);
  }
}

/** Lists the examples of a game in the Test Explorer, with their marks in the margin. */
function showVerdicts(params: VerdictsParams): void {
  const convert = client?.protocol2CodeConverter;
  if (convert === undefined) {
    return;
  }
  const game = examples.items.get(params.root) ?? examples.createTestItem(params.root, basename(params.root));
  examples.items.add(game);
  const run = examples.createTestRun(new TestRunRequest(), undefined, false);
  const there: TestItem[] = [];
  for (const each of params.examples) {
    const place = convert.asLocation(each.location);
    const known = game.children.get(each.id);
    const same = known?.uri?.toString() === place.uri.toString() ? known : undefined;
    const item = same ?? examples.createTestItem(each.id, each.id, place.uri);
    item.range = place.range;
    there.push(item);
  }
  game.children.replace(there);
  params.examples.forEach((each, index) => {
    const item = there[index] as TestItem;
    if (each.state === "passed") {
      run.passed(item);
    } else if (each.state === "failed") {
      const told = each.why.map((why) => {
        const message = new TestMessage(why.message);
        message.location = convert.asLocation(why.location);
        return message;
      });
      run.failed(item, told);
    } else if (each.state === "blocked") {
      run.skipped(item);
    } else {
      run.enqueued(item);
    }
  });
  run.end();
}

/** Runs examples of games again; their verdicts come by themselves. */
async function runExamples(request: TestRunRequest): Promise<void> {
  const chosen: TestItem[] = [...(request.include ?? [])];
  if (request.include === undefined) {
    examples.items.forEach((game) => chosen.push(game));
  }
  for (const item of chosen) {
    await commands.executeCommand("rulelang.run", item.parent?.id ?? item.id, item.parent === undefined ? "" : item.id);
  }
}
