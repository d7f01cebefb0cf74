-- A patient's card is opened by what its symbol carries.
create index document_implant_card on document ((fields->>'card_token')) where kind = 'patientImplantForm';
