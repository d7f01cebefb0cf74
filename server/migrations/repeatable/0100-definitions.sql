-- Facts of the definitions of documents for views and reports. The lists come from the definitions at every start
-- (schemaFragments in app/schema.ts). The functions are immutable, so that a plan has the values and not the calls.

-- The column of a stock card in which a move counts. A move that undoes another counts, negative, in the column of
-- the one it undoes. Null: it stays inside the store (a lot changes its quality state), or changes only what the
-- goods are worth.
create function stock_side(kind text, quantity numeric, undone boolean)
  returns text language sql immutable parallel safe
return case
  when quantity = 0 then null
  :stock_card_columns
  when (quantity < 0) <> undone then 'other_out'
  else 'other_in'
end;

-- The step of the trade at which a kind of document asks for licences; null where it asks for none.
create function gate_step(kind text) returns text language sql immutable parallel safe
return case
  :gate_steps
end;

-- How the entries of a kind of document change the balance with a partner (`AccountMovement` in
-- kernel/ledger/posting.ts); null: it books none.
create function account_movement(kind text) returns text language sql immutable parallel safe
return case
  :account_movements
end;

-- The sign with which an invoice of a kind covers the lines of a document: 1, or -1 where the lines take back invoiced
-- goods. Null: it does not cover them.
create function invoice_sign(invoice_kind text, kind text, role text, regime text)
  returns int language sql immutable parallel safe
return case
  :invoice_signs
end;

-- The kinds of documents whose goods an invoice of a kind covers.
create function invoiced_kinds(invoice_kind text) returns text[] language sql immutable parallel safe
return case
  :invoiced_kinds
end;

-- Kinds of documents that correct what another document says.
create function correcting_kinds() returns text[] language sql immutable parallel safe
return array[:correcting_kinds]::text[];

-- The title of a kind of document.
create function document_title(kind text) returns text language sql immutable parallel safe
return case
  :document_titles
end;

-- Kinds of documents that belong to the month of their date.
create function month_kinds() returns text[] language sql immutable parallel safe
return array[:month_kinds]::text[];

-- Kinds of documents by which goods are bought or sold; which of both a document is, of its owner's or as a copy, and
-- whether it adds to it (1) or takes back (-1).
create function trading_kinds() returns text[] language sql immutable parallel safe
return array[:trading_kinds]::text[];

-- Kinds of documents that add to a fact (kernel/measure/facts.ts), of their owner.
create function adding(fact text) returns text[] language sql immutable parallel safe
return case fact
  :adding_kinds
end;

-- Kinds of documents by which consigned goods are bought.
create function titled_kinds() returns text[] language sql immutable parallel safe
return array[:titled_kinds]::text[];

create function trade_fact(kind text, role text) returns text language sql immutable parallel safe
return case
  :trade_facts
end;

create function trade_sign(kind text, role text) returns int language sql immutable parallel safe
return case
  :trade_signs
end;

-- Kinds of documents of which the other side may refuse a part, which then comes home.
create function refusable_kinds() returns text[] language sql immutable parallel safe
return array[:refusable_kinds]::text[];

-- Kinds of documents that ask for the licences of a supplier, or of a customer.
create function supplier_gated() returns text[] language sql immutable parallel safe
return array[:supplier_gated]::text[];

create function customer_gated() returns text[] language sql immutable parallel safe
return array[:customer_gated]::text[];

-- Kinds of documents whose copy at the receiver says that goods are on their way.
create function delivery_kinds() returns text[] language sql immutable parallel safe
return array[:delivery_kinds]::text[];

-- Kinds of documents whose goods have come and are on no shelf yet, and the purposes that put them there.
create function unshelved_kinds() returns text[] language sql immutable parallel safe
return array[:unshelved_kinds]::text[];

create function shelved_by(kind text) returns text[] language sql immutable parallel safe
return case
  :shelved_by
end;
