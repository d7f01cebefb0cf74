-- Reports of a month read the documents that were reviewed in it.
create index document_reviewed on document (org_id, kind, reviewed_at);
