-- Data of accounts that is needed before anybody acts, and across organisations. These views belong to the owner of the
-- tables and pass by their row policies. Each has only the columns that its readers need, and the code that reads it is
-- listed in tests/tidy/schema.test.ts.

-- The accounts as the sign-in reads them: names, and whether the account may sign in. Names are unique in the network.
create view account_at_door as
select
  u.id, u.org_id, u.login, u.phone, u.name, u.status, u.password_hash, u.former_passwords, u.first_password_until,
  u.first_password_is_phone and u.first_password_until is not null as must_verify, u.must_change,
  u.password_changed_at, u.is_administrator, u.store_scope, u.data_scope, u.message_types,
  coalesce(
    (
      select c.value::int
      from org_config c
      where
        c.org_id = u.org_id
        and c.name = 'password_cycle'
        and c.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
    ),
    u.password_cycle
  ) as password_days,
  u.rights_from, u.rights_to
from app_user u;
grant select on account_at_door to :app_role;

-- The rights of an account: those of its enabled roles.
create view right_at_door as
select g.user_id, flag
from user_role g
join role r on r.id = g.role_id and r.status = 'enabled'
cross join unnest(r.flags) flag;
grant select on right_at_door to :app_role;

-- The licences that the platform has passed, as an authority publishes them: without scans and without who submitted
-- them.
create view published_licence as
select organisation_id, licence_type, licence_no, issuer, valid_from, valid_to, scope
from licence_audit
where state = 'passed';
grant select on published_licence to :app_role;

-- The authorisations to sell: grantor, grantee, goods and area, while both work together, from the maker down, link by
-- link. The gate reads it only for an organisation's own suppliers (granted_chain).
create view published_authorisation as
select
  a.id, r.org_id as grantor_id, r.partner_id as grantee_id, a.product_id, a.manufacturer_id, a.class_code,
  a.hospital_id, a.area_codes, a.authorisation_no, a.may_pass_on, a.valid_from, a.valid_to
from granted_authorisation a
join org_relation r on r.id = a.dealer_id and r.status = 'enabled'
where a.status = 'enabled';
grant select on published_authorisation to :app_role;

-- Organisations that somebody signs in for.
create view organisation_in_use as
select org_id, bool_or(status = 'enabled') as has_enabled, count(*)::int as accounts
from app_user
group by org_id;
grant select on organisation_in_use to :app_role;

-- Organisations that let the platform read amounts on walls (大屏金额授权). The platform reads those between two of them.
create view wall_amount_grant as
select org_id
from hospital_rule
where name = 'wallAmounts'
  and figure = '是'
  and status = 'enabled'
  and warehouse_id is null
  and department_id is null
  and custom_type_id is null;
grant select on wall_amount_grant to :app_role;
