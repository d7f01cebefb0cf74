-- Goods with a code a piece go into packs by their codes: a row of `pack` is then one piece in it, under the code of
-- the pack and a number. The piece moves by its own code; the pack's code stands for all of them until it is opened.
alter table pack add column piece_code text;
alter table pack add column opened_at timestamptz;
create index pack_piece on pack (org_id, piece_code) where piece_code is not null;
grant update (opened_at, piece_code) on pack to :app_role;

-- The card of a pack of pieces is printed for itself, and not as the label of its first piece.
alter table label_print add column pack_code text;
