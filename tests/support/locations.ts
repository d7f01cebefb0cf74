import type { Stage } from './story.ts'

/** Creates locations of a warehouse on their own shelf: without them nothing can be put away. */
export async function createPlaces(
  stage: Pick<Stage, 'one'>,
  warehouse: string,
  codes: readonly string[],
): Promise<void> {
  if (codes.length === 0) return
  await stage.one(
    `with s as (insert into shelf (org_id, warehouse_id, area, code, layers, columns_count)
       select org_id, id, 'T', '99', 1, 99 from warehouse where id = $1
       on conflict (org_id, warehouse_id, area, code) do update set layers = 1 returning org_id, id, warehouse_id),
     p as (insert into shelf_place (org_id, shelf_id, warehouse_id, layer, column_no, code)
       select s.org_id, s.id, s.warehouse_id, 1, 1, c from s cross
         join unnest($2::text[]) c on conflict (org_id, warehouse_id, code) do nothing)
     select id from s`,
    warehouse,
    codes,
  )
}
