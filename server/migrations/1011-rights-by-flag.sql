-- Which roles have a right: asked for every row of the menu.
create index role_flags on role using gin (flags);
