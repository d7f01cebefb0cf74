-- Lines of orders that have a day of their own by which they are asked for.
create index document_line_expected on document_line (org_id, (fields ->> 'expected_date'))
where
  fields ? 'expected_date';
