-- A kit is found by the code on it and by its label in whatever case and width they are typed, also by its receiver.
create index implant_kit_label_same on implant_kit (org_id, same_name(label_code)) where label_code is not null;
create index document_line_kit_same on document_line (org_id, same_name(fields->>'kit_code'))
where fields ? 'kit_code';
