import type { Sql } from '#server/plugins/database.ts'

/** A row that some transaction wrote: its table, and whether it was added, changed or taken away. */
export type Written = { readonly table: string; readonly change: string; readonly transaction: string }

/** Records from now on every row that anybody writes in any table, whoever commits it. */
export async function recordWrites(owner: Sql): Promise<void> {
  await owner.unsafe(`
    create unlogged table row_written (at_table text not null, change text not null, transaction text not null);
    create function note_row_written() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into row_written values (tg_argv[0], lower(tg_op), pg_current_xact_id()::text);
      return null;
    end $$;
    do $$ declare one record; begin
      for one in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'row_written'
      loop
        execute format('create trigger zz_note_row_written after insert or update or delete on %I
          for each row execute function note_row_written(%L)', one.relname, one.relname);
      end loop;
    end $$`)
}

/** The rows written since the last question, each table, change and transaction once. */
export async function takeWrites(owner: Sql): Promise<Written[]> {
  return owner<Written[]>`
    with taken as (delete from row_written returning *)
    select distinct at_table as table, change, transaction from taken order by 1, 2, 3`
}
