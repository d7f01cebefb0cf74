-- 06-02 of the list of 2017 is CT, as a published copy has it; the four after it follow. Names that the platform wrote itself stay.
update device_class d set name = k.said from (values
  ('06-02', 'X射线发生、限束装置', 'X射线计算机体层摄影设备（CT）'),
  ('06-03', 'X射线影像接收处理装置', 'X射线发生、限束装置'),
  ('06-04', 'X射线附属及辅助设备', 'X射线影像接收处理装置'),
  ('06-05', '成像辅助器械', 'X射线附属及辅助设备'),
  ('06-06', '医用射线防护用品', '医用射线防护设备')) as k(code, was, said)
 where d.catalogue = '2017' and d.code = k.code and d.name = k.was and not d.is_official;
