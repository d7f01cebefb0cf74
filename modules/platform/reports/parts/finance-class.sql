-- The class under which each specification is booked and since when: a hospital's tree of accounts, a trader's own
-- grouping. Documents keep the class of their day.
finance_class as materialized (
  select
    k.specification_id,
    k.valid_from,
    coalesce(k.valid_to, 'infinity'::date) as valid_to,
    c.id as class_id,
    {{ columns_of(c, name, code, account_code) }}
  from
    typed_product k
    join {{ own(custom_type, c, id = k.custom_type_id) }}
  where
    k.org_id = :organisation
    and k.tree = (
      select
        case o.system_type
          when 1 then 'account'
          else 'own'
        end
      from
        organisation o
      where
        o.id = :organisation
    )
)
