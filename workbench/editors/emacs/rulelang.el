;;; rulelang.el --- Rules of board games, with Eglot  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; Put this file on your `load-path' and write (require 'rulelang) into your init file.  It needs `rulelang lsp':
;; pip install 'rulelang[editor]'.

;;; Code:

(require 'eglot)

;;;###autoload
(define-derived-mode rulelang-mode prog-mode "Rules"
  "Rules of a board game."
  (setq-local comment-start "# "
              comment-end ""
              indent-tabs-mode nil
              tab-width 2
              indent-line-function #'indent-relative)
  (add-hook 'before-save-hook #'eglot-format-buffer nil t))

(modify-syntax-entry ?# "<" rulelang-mode-syntax-table)
(modify-syntax-entry ?\n ">" rulelang-mode-syntax-table)
(modify-syntax-entry ?_ "w" rulelang-mode-syntax-table)

(add-to-list 'auto-mode-alist '("\\.\\(?:rules\\|look\\)\\'" . rulelang-mode))
(add-to-list 'eglot-server-programs '(rulelang-mode . ("rulelang" "lsp")))
(add-hook 'rulelang-mode-hook #'eglot-ensure)

(provide 'rulelang)
;;; rulelang.el ends here
