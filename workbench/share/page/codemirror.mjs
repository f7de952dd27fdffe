// What the playground uses of CodeMirror.

export { basicSetup, EditorView } from "codemirror";
export { autocompletion } from "@codemirror/autocomplete";
export { indentWithTab } from "@codemirror/commands";
export { HighlightStyle, StreamLanguage, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { setDiagnostics } from "@codemirror/lint";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, hoverTooltip, keymap } from "@codemirror/view";
export { tags } from "@lezer/highlight";
