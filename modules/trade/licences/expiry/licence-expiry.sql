-- Ignored warnings are not counted; a licence or specification that several warnings concern counts once.
with
  shown as (
    select
      w.id,
      w.level,
      k.place,
      case coalesce(:by, 'category')
        when 'all' then '合计'
        when 'type' then case o.system_type
          when 1 then '医院'
          when 2 then '经销商'
          when 3 then '厂商'
          else '平台'
        end
        when 'licence' then w.licence_type
        when 'span' then k.span
        else case w.whose
          when 'own' then '我的证照'
          when 'partner' then '合作机构证照'
          else '产品注册证'
        end
      end as grouped
    from
      licence_validity w
      left join organisation o on o.id = w.partner_id
      cross join lateral (
        select
          case
            when w.valid_to is null then '未登记'
            when w.valid_to < d.today then '已过期'
            when w.valid_to <= d.today + 30 then '0-30天'
            when w.valid_to <= d.today + 60 then '31-60天'
            when w.valid_to <= d.today + 90 then '61-90天'
            else '90天以上'
          end as span,
          case
            when coalesce(:by, '') <> 'span' then 0
            when w.valid_to is null then 99999
            else greatest(w.valid_to - d.today, -1)
          end as place
        from
          (
            select
              {{ day_of(posting_now()) }} as today
          ) d
      ) k
    where
      w.org_id = :organisation
      and w.state <> 'ignored'
      and {{ asked(w.whose, :whose) }}
  ),
  goods as (
    select
      s.grouped,
      count(distinct g.specification_id)::int as affected
    from
      shown s
      join {{ own(licence_validity_goods, g, id = s.id) }}
    group by all
  ),
  papers as (
    select
      s.grouped,
      count(distinct p.document_id)::int as affected
    from
      shown s
      join {{ own(licence_validity_document, p, id = s.id) }}
    group by all
  )
select
  s.grouped,
  count(*) filter (
    where
      s.level in ('orange', 'yellow')
  )::int as expiring,
  {{ filtered(count(*), s.level = 'red') }}::int as expired,
  {{ filtered(count(*), s.level = 'missing') }}::int as missing,
  coalesce(g.affected, 0) as affected_goods,
  coalesce(p.affected, 0) as affected_papers
from
  shown s
  left join goods g on g.grouped = s.grouped
  left join papers p on p.grouped = s.grouped
group by
  s.grouped,
  g.affected,
  p.affected
order by
  min(s.place),
  s.grouped
