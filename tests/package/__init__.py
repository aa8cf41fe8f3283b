"""What people get and read: names, wheel, cost, README and site."""
