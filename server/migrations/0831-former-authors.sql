-- Who wrote or handed in a paper before whoever has it in hand today: he does not review it either.
alter table document add column former_authors bigint[] not null default '{}';
update document d set former_authors = f.people
  from (select h.org_id, h.document_id, array_agg(distinct h.actor_id) as people
          from document_history h join document o on o.org_id = h.org_id and o.id = h.document_id
         where o.role = 'own' and o.state in ('draft', 'submitted', 'rejected') and (h.from_state is null or h.action = 'submit') and h.actor_id > 0
           and h.actor_id is distinct from o.created_by and h.actor_id is distinct from o.submitted_by
         group by 1, 2) f
 where d.org_id = f.org_id and d.id = f.document_id;
