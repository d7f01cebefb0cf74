-- What kind of taxpayer a partner is, as far as its file says: a special invoice is made out to general taxpayers alone.
alter table org_relation add column taxpayer_kind text;
