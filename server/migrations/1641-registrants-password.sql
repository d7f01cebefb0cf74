-- The account of a registration begins with the registrant's phone number as its password. Whoever knows the phone
-- knows it, so that changing it asks for a code sent to that phone.
alter table app_user add column first_password_is_phone boolean not null default false;
