-- A registration certificate that a dealer or hospital entered for a product it built itself.
alter table registration_certificate add column entered_by_id bigint;
create index registration_certificate_entered on registration_certificate (entered_by_id) where entered_by_id is not null;

-- A maker abroad has no production licence here: the papers of his agent and of his sole agency are asked for instead, both of them.
create or replace function licence_missing(org bigint, holder bigint) returns table (licence_type text) language sql stable
begin atomic
  with maker as (
    select o.system_type, o.system_type = 3
           and exists (select 1 from registration_certificate c where c.holder_org_id = holder and c.certificate_no ~ '(械注进|械备进|[(（]进[)）])')
           and not exists (select 1 from registration_certificate c where c.holder_org_id = holder and c.certificate_no !~ '(械注进|械备进|[(（]进[)）])') as abroad
      from organisation o where o.id = holder),
  kinds as (
    select k.licence_type, k.at, case when m.abroad and k.stands_as = 'permit' then k.licence_type else coalesce(k.stands_as, k.licence_type) end as need,
           m.abroad and k.licence_type in ('进口总代理授权书', '进口代理人授权') as of_agent, k.lawful
      from licence_kind k join maker m on m.system_type = any(k.holders)
     where not (m.abroad and k.stands_as = 'permit' and k.licence_type not in ('进口总代理授权书', '进口代理人授权')))
  select distinct on (k.need) k.licence_type
    from kinds k
    left join licence_setting s on s.org_id = org and s.licence_type = k.licence_type
   where case when s.id is null then k.lawful or k.of_agent else s.is_required and s.status = 'enabled' end
     and not exists (select 1 from licence l join licence_kind held on held.licence_type = l.licence_type
                      where l.org_id = org and l.holder_id = holder and (l.licence_type = k.need or not k.of_agent and coalesce(held.stands_as, held.licence_type) = k.need)
                        and l.status = 'enabled' and l.audit_state = 'passed')
   order by k.need, k.at;
end;
