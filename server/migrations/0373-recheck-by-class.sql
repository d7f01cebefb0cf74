-- 双人复核 may be for implants and the cold chain alone: what was a switch is a choice.
update org_config set value = case value when '是' then '全部' when '否' then '关闭' else value end where name = 'double_recheck';
update setting set value = case value when 'true' then '"all"'::jsonb when 'false' then '"off"'::jsonb else value end where name = 'double_recheck';
