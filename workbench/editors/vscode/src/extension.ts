import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commands, env, type ExtensionContext, type OutputChannel, Uri, window, workspace } from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

/** What the server asks to be run where people can watch it and answer: a game, a comparison. */
interface TerminalParams {
  title: string;
  command: string[];
  folder: string;
}

const INSTALL = "https://pypi.org/project/rulelang/";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel("rulelang");
  context.subscriptions.push(
    output,
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
      capabilities.experimental = { ...(capabilities.experimental as object), rulelangTerminal: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  client.onNotification("rulelang/terminal", runInTerminal);
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
