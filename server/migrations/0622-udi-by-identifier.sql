-- Records that ever named an identifier are found by it, whichever of them is current.
create index udi_device_any_di on udi_device (primary_di);
