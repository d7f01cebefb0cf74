-- Rules are for hospitals, dealers and manufacturers, each for some of them: letters of H, D and V.
alter table rule_item add column orgs text not null default 'H';

-- The preset of dealers and manufacturers, where it is another than that of hospitals.
alter table config_item add column trade_preset text;
