use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Rules;

impl zed::Extension for Rules {
    fn new() -> Self {
        Rules
    }

    fn language_server_command(&mut self, _id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree
            .which("rulelang")
            .ok_or("`rulelang` is not installed: pip install 'rulelang[editor]'")?;
        Ok(Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Rules);
