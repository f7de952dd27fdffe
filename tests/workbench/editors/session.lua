-- A session of a rules editor in Neovim, with nothing but its built-in client. Writes what was seen as JSON.
local told = {}
local function wait(what, done)
  if not vim.wait(60000, done, 50) then error("waited in vain: " .. what) end
end
local function line_of(words)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local from = line:find(words, 1, true)
    if from then return number, from - 1 end
  end
  error("not in the text: " .. words)
end
local function at(words) vim.api.nvim_win_set_cursor(0, { line_of(words) }) end
local function mistakes() return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) end
local function lenses()
  vim.lsp.codelens.refresh()
  local found = {}
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do table.insert(found, lens.command.title) end
  return found
end
local chosen = nil
vim.ui.select = function(items, options, choose)
  for index, item in ipairs(items) do
    local title = options.format_item and options.format_item(item) or tostring(item)
    if title:find(chosen, 1, true) then return choose(item, index) end
  end
  error("not offered: " .. chosen)
end

local function session()
  vim.cmd("edit pile.rules")
  wait("the client", function() return #vim.lsp.buf_get_clients(0) > 0 or next(vim.lsp.buf_get_clients(0)) ~= nil end)

  -- See the error.
  wait("a diagnostic", function() return #mistakes() == 1 end)
  told.mistake = mistakes()[1].message

  -- Apply the fix.
  at("lefft")
  chosen = "Change `lefft` to `left`"
  vim.lsp.buf.code_action()
  wait("the fix", function() return #mistakes() == 0 and pcall(line_of, "n <= left") end)
  told.mended = vim.api.nvim_get_current_line()

  -- Ask what a name is, and what can stand here.
  local asked = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 0, character = 0 } }
  local function ask(method, words)
    local line, column = line_of(words)
    asked.position = { line = line - 1, character = column + #words }
    for _, answer in pairs(vim.lsp.buf_request_sync(0, method, asked, 60000) or {}) do return answer.result end
  end
  told.hover = ask("textDocument/hover", "needs n <= lef").contents.value
  told.offered = {}
  for _, item in ipairs(ask("textDocument/completion", "needs n <= le").items) do
    table.insert(told.offered, item.label)
  end

  -- Run the example: its verdict is over it, its failure in it.
  vim.cmd("write")
  vim.cmd("edit examples.rules")
  wait("the verdict", function() return (lenses()[1] or ""):find("✓", 1, true) ~= nil end)
  told.verdict = lenses()[1]
  at("example first")
  chosen = "✓"
  vim.lsp.codelens.run()
  wait("the verdict of a second run", function() return (lenses()[1] or ""):find("✓", 1, true) ~= nil end)

  -- A rule changes, and the example says so.
  vim.cmd("edit pile.rules")
  at("p scores n")
  vim.api.nvim_set_current_line((vim.api.nvim_get_current_line():gsub("scores n", "scores n + 1")))
  vim.cmd("buffer examples.rules")
  wait("the failure", function() return #mistakes() > 0 end)
  told.failure = mistakes()[1].message

  -- Rename across files.
  vim.cmd("buffer pile.rules")
  at("left: 0..9")
  vim.lsp.buf.rename("in_pile")
  wait("the new name", function() return pcall(line_of, "in_pile: 0..9") end)
  vim.cmd("buffer examples.rules")
  wait("the new name in the example", function() return pcall(line_of, "then in_pile is 5") end)
  told.renamed = true
end

local fine, problem = pcall(session)
if not fine then told.problem = problem end
vim.fn.writefile({ vim.json.encode(told) }, os.getenv("TOLD"))
vim.cmd("qall!")
