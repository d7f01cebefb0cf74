-- A login name is nobody else's phone, in any organisation: codes that are sent to that phone would open the wrong
-- account. Two accounts of one person may have the same phone.

-- The names of an account as numbers, so that a constraint can compare them across columns: its login name covers a
-- whole step, its phone one point within the step that no other account has.
create function sign_in_names(account bigint, login text, phone text) returns nummultirange
  language sql immutable parallel safe
return nummultirange(
  numrange(hashtextextended(login, 0)::numeric, hashtextextended(login, 0)::numeric + 1),
  case
    when phone is null then 'empty'::numrange
    else numrange(
      hashtextextended(phone, 0) + account / 10000000000000000000::numeric,
      hashtextextended(phone, 0) + account / 10000000000000000000::numeric,
      '[]'
    )
  end
);

-- What stands already: who registered with his phone keeps it, who took another's phone for a name gets another name.
update app_user a set phone = null
from app_user b
where b.login = a.phone and b.id <> a.id and b.phone = b.login;

update app_user a set login = a.login || '-' || a.id
where exists (select from app_user b where b.phone = a.login and b.id <> a.id);

alter table app_user add constraint app_user_names
  exclude using gist (sign_in_names(id, login, phone) with &&);
