-- How long a film is, and how often it was begun by anybody: once a person and day.
alter table video_course add column seconds int;
alter table video_course add column plays int not null default 0;
create index course_play_person on course_play (org_id, user_id, course_id, day desc);
