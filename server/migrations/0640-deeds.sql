-- Whoever does a deed on one paper. Its statements go by keys, so their plans hold for any values. SET LOCAL, because that alone is told to shards.
create function act_in_deed_as(p_org bigint, p_user bigint) returns void language plpgsql as $$
begin
  perform act_as(p_org, p_user);
  set local plan_cache_mode = force_generic_plan;
end $$;
