-- Rules of board games in Neovim (0.7 or newer). Put this file into ~/.config/nvim/plugin/, and syntax/rulelang.vim,
-- which lies beside it, into ~/.config/nvim/syntax/.
-- It needs `rulelang lsp`: pip install 'rulelang[editor]'. Set vim.g.rulelang to the command if it lies elsewhere.

local M = {}
local group = vim.api.nvim_create_augroup("rulelang", { clear = true })
local patterns = { "*.rules", "*.look", "*/text/*.md", "*/text/*.toml" }

local function command()
  local set = vim.g.rulelang
  if type(set) == "table" then return vim.deepcopy(set) end
  local own = vim.fn.getcwd() .. "/.venv/bin/rulelang"
  return { set or (vim.fn.executable(own) == 1 and own) or "rulelang" }
end

-- The folder under version control, else the uppermost one near the file that has rules.
local function root(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local found = vim.fn.finddir(".git", folder .. ";")
  if found ~= "" then return vim.fn.fnamemodify(found, ":p:h:h") end
  local top = folder
  for _ = 1, 4 do
    if vim.fn.glob(folder .. "/*.rules") ~= "" then top = folder end
    folder = vim.fn.fnamemodify(folder, ":h")
  end
  return top
end

local function refresh(buffer)
  for _, client in pairs(vim.lsp.get_active_clients and vim.lsp.get_active_clients({ bufnr = buffer }) or {}) do
    if client.name == "rulelang" and vim.api.nvim_get_current_buf() == buffer then vim.lsp.codelens.refresh() end
  end
end

local function keys(_, buffer)
  local function map(key, run, what) vim.keymap.set("n", key, run, { buffer = buffer, desc = what }) end
  map("K", vim.lsp.buf.hover, "What is this?")
  map("gd", vim.lsp.buf.definition, "Where it is declared")
  map("gr", vim.lsp.buf.references, "Where it is used")
  map("<leader>r", vim.lsp.buf.rename, "Rename it everywhere")
  map("<leader>a", vim.lsp.buf.code_action, "Fix what is wrong here")
  map("<leader>l", vim.lsp.codelens.run, "Run what stands over this line")
  map("]d", vim.diagnostic.goto_next, "Next mistake")
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
  vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "CursorHold" }, {
    group = group, buffer = buffer, callback = function() refresh(buffer) end,
  })
  vim.api.nvim_create_autocmd("BufWritePre", {
    group = group, buffer = buffer,
    callback = function() (vim.lsp.buf.format or vim.lsp.buf.formatting_sync)() end,
  })
end

-- Games and comparisons are run in a terminal, where you can watch them and answer.
vim.lsp.handlers["rulelang/terminal"] = function(_, params)
  vim.cmd("botright new")
  vim.fn.termopen(params.command, { cwd = params.folder })
  vim.cmd("startinsert")
end

-- Several examples are a list to go through.
vim.lsp.handlers["rulelang/locations"] = function(_, params)
  local items = vim.lsp.util.locations_to_items(params.locations, "utf-16")
  vim.fn.setqflist({}, " ", { title = params.title, items = items })
  vim.cmd("cfirst")
end

vim.lsp.handlers["workspace/codeLens/refresh"] = function()
  vim.schedule(function() refresh(vim.api.nvim_get_current_buf()) end)
  return vim.NIL
end

function M.start(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local cmd = command()
  if vim.fn.executable(cmd[1]) == 0 then
    vim.notify("`" .. cmd[1] .. "` is not installed: pip install 'rulelang[editor]'", vim.log.levels.WARN)
    return
  end
  table.insert(cmd, "lsp")
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { rulelangTerminal = true, rulelangLocations = true }
  capabilities.workspace.codeLens = { refreshSupport = true }
  local config = {
    name = "rulelang", cmd = cmd, root_dir = root(file), capabilities = capabilities, on_attach = keys,
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  M.clients = M.clients or {}
  local id = M.clients[config.root_dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client(config)
    M.clients[config.root_dir] = id
  end
  if id then vim.lsp.buf_attach_client(buffer, id) end
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group, pattern = patterns,
  callback = function(event)
    if event.match:match("%.rules$") or event.match:match("%.look$") then
      vim.bo[event.buf].filetype = "rulelang"
      vim.bo[event.buf].commentstring = "# %s"
      vim.bo[event.buf].shiftwidth, vim.bo[event.buf].expandtab = 2, true
    end
    M.start(event.buf)
  end,
})

return M
