"""The pages of the documentation site, as MkDocs reads them."""
