"""Agents, Titles in use, and Verses online."""
