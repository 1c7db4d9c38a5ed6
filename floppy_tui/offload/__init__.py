"""Offload: what may live elsewhere, where, and the queue of proposals. Pure."""
