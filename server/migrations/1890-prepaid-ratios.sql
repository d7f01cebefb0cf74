-- The share of an order that was asked for in advance was kept in percent: a rate is a fraction everywhere else.
update document
set fields = fields || jsonb_build_object(
  'prepaid_ratio', ((fields->>'prepaid_ratio')::numeric / 100)::numeric(18,4)::text
)
where kind = 'prepayment' and fields->>'prepaid_ratio' is not null;
