/** Who answers for a warning `w`: whoever is in charge of its store. Read by the list and by the ranking, so that both mean the same. */
export const responsibleOf = (row: string): string =>
  `coalesce((select e.name from warehouse h join employee e on e.org_id = h.org_id and e.id = h.manager_id where h.org_id = ${row}.org_id and h.id = ${row}.warehouse_id), '未指定')`

export const responsibleSql = responsibleOf('w')
