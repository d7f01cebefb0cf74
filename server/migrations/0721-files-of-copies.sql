-- Files of a paper that was sent to another organisation go with its copy: the receiver has a row of its own over the same bytes. They count in the space of whoever sent them.
alter table stored_file add column came_from bigint;

-- 召回文件: the maker's paper comes with the recall.
alter table recall_feedback add column attachments text[] not null default '{}';
