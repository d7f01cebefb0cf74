-- Kits by their code on the lines of documents: whoever was sent one finds what is in it by a scan.
create index document_line_kit on document_line (org_id, (fields->>'kit_code')) where fields ? 'kit_code';
