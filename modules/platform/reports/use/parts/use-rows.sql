-- The uses of the period that is asked for.
use_days as not materialized (
  select
    :begin_date as since,
    :end_date as until
),
{{ part(uses-of-days) }}
