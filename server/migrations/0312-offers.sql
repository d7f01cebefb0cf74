-- How often a package was fetched, and when a course was uploaded.
alter table app_version add column downloads int not null default 0;
alter table video_course add column uploaded_at timestamptz not null default posting_now();
update video_course set uploaded_at = published_at where published_at < uploaded_at;
