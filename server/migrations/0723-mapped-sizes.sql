-- What lies here under a size that was mapped to another is found with that other.
create index specification_mapped on specification (mapped_to_id) where mapped_to_id is not null;
