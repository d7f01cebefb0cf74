-- The specifications that hang on class :class or on one below it, in whichever tree that is, and from when
-- to when: figures of a day keep the class of that day.
classed as (
  with recursive
    branch as (
      select
        c.id
      from
        custom_type c
      where
        c.org_id = :organisation
        and c.id = :class
      union all
      select
        c.id
      from
        branch b
        join {{ own(custom_type, c, parent_id = b.id) }}
    )
  select
    k.specification_id,
    k.valid_from,
    coalesce(k.valid_to, 'infinity'::date) as valid_to
  from
    branch b
    join {{ own(typed_product, k, custom_type_id = b.id) }}
)
