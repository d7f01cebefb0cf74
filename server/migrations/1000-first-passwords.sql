-- First passwords are random and sent to their holder; they end. What was a password before cannot be one again soon.
alter table app_user
  -- The password was given and not chosen: it is refused from then on.
  add column first_password_until timestamptz,
  -- argon2id of the last passwords, the newest first.
  add column former_passwords text[] not null default '{}';

-- An applicant has no password before his organisation is admitted.
alter table registration alter column password_hash drop not null;
