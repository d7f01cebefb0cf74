-- The plan in which a line of a requisition stands: one a line, drafts included. The key refuses the second, whoever
-- plans at the same moment. A plan that was deleted, called off or stopped gives its lines up to the next.
create table planned_request_line (
  org_id bigint not null,
  request_id bigint not null,
  request_line_no int not null,
  plan_id bigint not null,
  constraint planned_request_line_pk primary key (org_id, request_id, request_line_no),
  constraint planned_request_line_request foreign key (org_id, request_id) references document (org_id, id),
  constraint planned_request_line_plan foreign key (org_id, plan_id) references document (org_id, id)
);
create index planned_request_line_of_plan on planned_request_line (org_id, plan_id);
call isolate_by_organisation('planned_request_line');
grant select, insert, update, delete on planned_request_line to :app_role;

-- Where an earlier version let a line stand in several plans, it is the first's.
insert into planned_request_line (org_id, request_id, request_line_no, plan_id)
select distinct on (l.org_id, l.source_document_id, l.source_line_no)
  l.org_id, l.source_document_id, l.source_line_no, l.document_id
from document d
join document_line l on l.org_id = d.org_id and l.document_id = d.id
join document r on r.org_id = l.org_id and r.id = l.source_document_id and r.kind = 'requisition'
where d.kind = 'purchasePlan' and d.role = 'own' and l.source_line_no is not null
  and d.state not in ('deleted', 'cancelled', 'stopped', 'reversed')
order by l.org_id, l.source_document_id, l.source_line_no, l.document_id;
