-- The weight of each part of a score: by the organisation's rule :rule, else by :preset.
score_weights as (
  select
    string_to_array(
      coalesce(
        (
          select
            r.figure
          from
            hospital_rule r
          where
            r.org_id = :organisation
            and r.name = :rule
            and r.status = 'enabled'
        ),
        :preset
      ),
      '/'
    )::numeric[] as each
)
