-- The time until the goods or licences of a warning `w` run out, counted from the day `n.today` on: days of 30, 90 and
-- more, the last of them included. A warning without a day is classed by its level. Every page that counts by these
-- days reads it here.
case
  when w.level in ('none', 'low', 'high', 'idle', 'held', 'missing') then w.level
  when w.expiry_date < n.today then 'expired'
  when w.expiry_date <= n.today + 30 then 'month'
  when w.expiry_date <= n.today + 90 then 'quarter'
  else 'half'
end
