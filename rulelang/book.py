def check_books(files, programs, variants, sink): pass
