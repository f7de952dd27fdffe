"""Tools of contributors: what writes generated files of the project. They are not installed with the packages."""
