"""The five operations and the options of the clients, each test run through both of them."""
