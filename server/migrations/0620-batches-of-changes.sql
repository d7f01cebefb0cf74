-- A batch tells of changes and withdrawals as well: which version takes effect with it, and in words what is different.
alter table product_release_line add column product_revision_id bigint, add column change_text text;
alter table product_release_line add constraint product_release_line_revision foreign key (product_revision_id) references product_revision (id);
alter table product_revision add column effective_at timestamptz;
update product_revision set effective_at = decided_at where state = 'passed';
-- Nothing was ever published twice; what was called so is a new product like any other.
update product_release_line set change_kind = 'new' where change_kind = 'again';
