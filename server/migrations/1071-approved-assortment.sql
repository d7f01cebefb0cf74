-- By which first approval goods came into a dealer's catalogue: their supplier was judged with them.
alter table dealer_product add column admission_no text;
