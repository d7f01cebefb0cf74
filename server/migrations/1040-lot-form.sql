-- A lot number has one form, however it was typed: narrow characters, capitals, no blanks, as `lot_form` makes it.
create temp table lot_letters as
select
    U&'abcdefghijklmnopqrstuvwxyz\FF01\FF02\FF03\FF04\FF05\FF06\FF07\FF08\FF09\FF0A\FF0B'
    || U&'\FF0C\FF0D\FF0E\FF0F\FF10\FF11\FF12\FF13\FF14\FF15\FF16\FF17\FF18\FF19\FF1A\FF1B'
    || U&'\FF1C\FF1D\FF1E\FF1F\FF20\FF21\FF22\FF23\FF24\FF25\FF26\FF27\FF28\FF29\FF2A\FF2B'
    || U&'\FF2C\FF2D\FF2E\FF2F\FF30\FF31\FF32\FF33\FF34\FF35\FF36\FF37\FF38\FF39\FF3A\FF3B'
    || U&'\FF3C\FF3D\FF3E\FF3F\FF40\FF41\FF42\FF43\FF44\FF45\FF46\FF47\FF48\FF49\FF4A\FF4B'
    || U&'\FF4C\FF4D\FF4E\FF4F\FF50\FF51\FF52\FF53\FF54\FF55\FF56\FF57\FF58\FF59\FF5A\FF5B'
    || U&'\FF5C\FF5D\FF5E'
    || U&'\0020\0009\00A0\2007\202F\3000\00AD\200B\200C\200D\200E\200F\2060\FEFF' as wrong,
    U&'ABCDEFGHIJKLMNOPQRSTUVWXYZ!"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXY'
    || U&'Z[\\]^_`ABCDEFGHIJKLMNOPQRSTUVWXYZ{|}~' as correct;

-- Lots that were kept in another form are named in the right one, where nothing else has that name already.
with formed as (
  select t.id, t.specification_id, t.lot_no, translate(t.lot_no, k.wrong, k.correct) as form
  from lot t
  cross join lot_letters k
)
update lot t set lot_no = f.form
from formed f
where f.id = t.id
  and f.form <> f.lot_no
  and not exists (
    select 1 from formed o where o.specification_id = f.specification_id and o.form = f.form and o.id <> f.id
  );
update quality_certificate q set lot_no = translate(q.lot_no, k.wrong, k.correct)
from lot_letters k
where q.lot_no <> translate(q.lot_no, k.wrong, k.correct);
update document_line l set lot_no = translate(l.lot_no, k.wrong, k.correct)
from lot_letters k
where l.lot_no <> translate(l.lot_no, k.wrong, k.correct);
drop table lot_letters;
